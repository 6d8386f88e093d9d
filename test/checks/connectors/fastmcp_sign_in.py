"""Lists and calls each tool with fastmcp, which signs in through the browser where it must and keeps its tokens in a folder."""

import asyncio
import sys
import time
from pathlib import Path

url, folder, later = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])
machine_time = time.time
# The clock of the service runs ahead of that of the machine.
time.time = lambda: machine_time() + later

from fastmcp import Client
from fastmcp.client.auth import OAuth
from key_value.aio.stores.filetree import FileTreeStore, FileTreeV1KeySanitizationStrategy

values = {"id": 1, "metric": "open_rate"}


def arguments_of(tool):
    """The required arguments; compare takes one of two that are optional."""
    either = {"ids": [1, 2]} if "ids" in tool.input_schema["properties"] else {}
    return {**{name: values[name] for name in tool.input_schema.get("required", [])}, **either}


async def call_tools():
    # The keys are URLs, which are no names of files.
    names = FileTreeV1KeySanitizationStrategy(folder)
    store = FileTreeStore(data_directory=folder, key_sanitization_strategy=names)
    auth = OAuth(token_storage=store, callback_timeout=60)
    async with Client(url, auth=auth) as client:
        tools = await client.list_tools()
        for tool in tools:
            result = await client.call_tool(tool.name, arguments_of(tool))
            assert not result.is_error and result.content, tool.name
        print(len(tools))


asyncio.run(call_tools())
