// The reference server, which writes down which of its tools ran to their end. See README.md.
//
//   node everything.mjs COUNTS stdio
//   PORT=3001 node everything.mjs COUNTS streamableHttp
//
// COUNTS is a file that gets a line for each: `began TOOL`, then `done TOOL`, `refused TOOL` (the person said no) or
// `failed TOOL`. Processes that share it add to it.

import { appendFileSync } from 'node:fs';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

const [counts, transport] = process.argv.slice(2);
const write = (what, tool) => appendFileSync(counts, `${what} ${tool}\n`);

// What the server says first when the answer was no.
const refused = /^(❌|⚠️)/u;

const { registerTool } = McpServer.prototype;
McpServer.prototype.registerTool = function (name, config, run) {
  const counted = async (...args) => {
    write('began', name);
    try {
      const result = await run(...args);
      write(refused.test(result.content?.[0]?.text) ? 'refused' : 'done', name);
      return result;
    } catch (error) {
      write('failed', name);
      throw error;
    }
  };
  return registerTool.call(this, name, config, counted);
};

process.argv.splice(2, 1);
await import('@modelcontextprotocol/server-everything/dist/index.js');
