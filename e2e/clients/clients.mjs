// Connects six client libraries to the server over stdio and over HTTP. Each lists the tools, calls one, and reads a resource.
//
//   node clients.mjs BIOFACT, with the libraries in node_modules beside this file or above it
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import assert from 'node:assert/strict';

process.env.MCP_USE_ANONYMIZED_TELEMETRY = 'false';
const [, , biofact] = process.argv;
const command = { command: biofact, args: ['--sandbox'], env: { ...process.env, BIOFACT_CACHE_DIR: 'off', NCBI_ADMIN_EMAIL: 'test@example.org' } };
const tool = 'search_trials', words = { condition: 'melanoma', phase: '3' }, found = 'NCT:01844505', resource = 'pubmed-connect://info';

// Each library: the function connects, and returns the names of the tools, a function that calls a tool, one that reads a resource, and one that closes. url is
// that of the server over HTTP; without it the library starts the command.
const libraries = {
  '@modelcontextprotocol/sdk': async url => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport(command));
    return {
      names: (await client.listTools()).tools.map(t => t.name), call: () => client.callTool({ name: tool, arguments: words }),
      read: () => client.readResource({ uri: resource }), close: () => client.close(),
    };
  },
  '@langchain/mcp-adapters': async url => {
    const { MultiServerMCPClient } = await import('@langchain/mcp-adapters');
    const client = new MultiServerMCPClient({ mcpServers: { biofact: url ? { url, transport: 'http' } : { ...command, transport: 'stdio' } } });
    const tools = await client.getTools();
    return {
      names: tools.map(t => t.name), call: () => tools.find(t => t.name === tool).invoke(words),
      read: () => client.readResource('biofact', resource), close: () => client.close(),
    };
  },
  '@openai/agents': async url => {
    const { MCPServerStdio, MCPServerStreamableHttp } = await import('@openai/agents');
    const server = url ? new MCPServerStreamableHttp({ url, name: 'biofact' }) : new MCPServerStdio({ ...command, name: 'biofact' });
    await server.connect();
    return {
      names: (await server.listTools()).map(t => t.name), call: () => server.callTool(tool, words),
      read: () => server.readResource(resource), close: () => server.close(),
    };
  },
  '@ai-sdk/mcp': async url => {
    const { createMCPClient } = await import('@ai-sdk/mcp');
    const { Experimental_StdioMCPTransport } = await import('@ai-sdk/mcp/mcp-stdio');
    const client = await createMCPClient({ transport: url ? { type: 'http', url } : new Experimental_StdioMCPTransport(command) });
    const tools = await client.tools();
    return {
      names: Object.keys(tools), call: () => tools[tool].execute(words, { toolCallId: '1', messages: [] }),
      read: () => client.readResource({ uri: resource }), close: () => client.close(),
    };
  },
  'mcp-use': async url => {
    const { MCPClient } = await import('mcp-use');
    const client = MCPClient.fromDict({ mcpServers: { biofact: url ? { url } : command } });
    const session = await client.createSession('biofact');
    return {
      names: (await session.listTools()).map(t => t.name), call: () => session.callTool(tool, words),
      read: () => session.readResource(resource), close: () => client.closeAllSessions(),
    };
  },
  '@mastra/mcp': async url => {
    const { MCPClient } = await import('@mastra/mcp');
    const client = new MCPClient({ servers: { biofact: url ? { url: new URL(url) } : command } });
    const tools = await client.getTools();
    return {
      names: Object.keys(tools), call: () => tools['biofact_' + tool].execute({ context: words }),
      read: () => client.resources.read('biofact', resource), close: () => client.disconnect(),
    };
  },
};

const server = spawn(biofact, ['--sandbox', 'serve', '--http', '--auth', 'none', '--http-port', '0'],
  { env: command.env, stdio: ['ignore', 'ignore', 'pipe'] });
let failed = 0;
try {
  const url = await new Promise((resolve, reject) => {
    const lines = createInterface(server.stderr);
    lines.on('line', line => { const at = / serving (http:\S+)/.exec(line); if (at) resolve(at[1]); });
    lines.on('close', () => reject(new Error('the server did not start')));
  });
  for (const [name, connect] of Object.entries(libraries)) {
    for (const at of [undefined, url]) {
      try {
        const client = await connect(at);
        assert.ok(client.names.length >= 20, `${client.names.length} tools`);
        assert.ok(JSON.stringify(await client.call()).includes(found), 'the call found another trial');
        assert.ok(JSON.stringify(await client.read()).includes('biofact'), 'the resource has another text');
        await client.close();
        console.log(`${name} over ${at ? 'HTTP' : 'stdio'}: ${client.names.length} tools, a call, a resource`);
      } catch (error) {
        failed++;
        console.error(`${name} over ${at ? 'HTTP' : 'stdio'} FAILED:`, error);
      }
    }
  }
} finally {
  server.kill();
}
process.exit(failed ? 1 : 0); // a client that failed may be open still
