// What the service needs of node:http. An `import` of it also loads Node's WebSocket client, 35 ms of CPU time.

export const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");
