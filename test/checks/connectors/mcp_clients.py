"""Lists and calls each tool with the clients fastmcp and mcp, with an API key."""

import asyncio
import os
import sys
from importlib.metadata import version

import fastmcp
import mcp
from fastmcp.client.transports import StreamableHttpTransport
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

url = sys.argv[2]
headers = {"Authorization": f"Bearer {os.environ['EMAIL_ANALYTICS_KEY']}"}
values = {"id": 10, "metric": "open_rate"}


def arguments_of(tool):
    """The required arguments; compare takes one of two that are optional."""
    either = {"ids": [10, 11]} if "ids" in tool.input_schema["properties"] else {}
    return {**{name: values[name] for name in tool.input_schema.get("required", [])}, **either}


async def use_fastmcp():
    async with fastmcp.Client(StreamableHttpTransport(url, headers=headers)) as client:
        tools = await client.list_tools()
        for tool in tools:
            result = await client.call_tool(tool.name, arguments_of(tool))
            assert not result.is_error and result.content, tool.name
        print(f"fastmcp {version('fastmcp')}: {len(tools)} tools listed and called")
        try:
            await client.call_tool("find_campaigns", {"team": "no such team"})
        except Exception as error:
            assert "no such team" in str(error), error
        else:
            sys.exit("an unknown team is no error")


async def use_sdk():
    async with create_mcp_http_client(headers=headers) as http:
        async with streamable_http_client(url, http_client=http) as streams:
            async with mcp.ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                tools = (await session.list_tools()).tools
                for tool in tools:
                    result = await session.call_tool(tool.name, arguments_of(tool))
                    assert result.content, tool.name
                print(f"mcp {version('mcp')}: {len(tools)} tools listed and called")


asyncio.run(use_fastmcp())
asyncio.run(use_sdk())
