#!/usr/bin/env node
// Starts the program of this platform, which comes with the optional package of the platform.
const { spawn } = require('node:child_process');
const { constants } = require('node:os');

const name = `@biofact-mcp/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/biofact${process.platform === 'win32' ? '.exe' : ''}`);
} catch {
  console.error(`biofact: the package ${name} is missing; install biofact without --omit=optional, or on another way: https://github.com/biofact-mcp/biofact#install`);
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => { console.error(`biofact: ${error.message}`); process.exit(1); });
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
