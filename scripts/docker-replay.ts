import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { projectRoot } from '#platform/project-root.ts';
import { type Instruction, parseDockerfile } from './docker/dockerfile.ts';
import { commandInside, createRoot, forbidServices, runInside } from './docker/root-folder.ts';
import { runCommand } from './operator-command.ts';

// `npm run docker:replay`: runs the RUN and COPY steps of the Dockerfiles in roots of Debian made by debootstrap, without Docker, then
// starts what came of them. It needs root on Linux, debootstrap and the network, and takes some minutes and 3 GB.

const CACHE = '/var/tmp/acre-replay';

interface Stage {
  root: string;
  workdir: string;
  user: string;
  environment: Record<string, string>;
  command: string[];
}

await runCommand(async () => {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'run-'));
  try {
    const market = replay('Dockerfile', folder);
    await startMarket(market);
    const pooler = replay('deploy/pgbouncer.Dockerfile', folder);
    const [program, words] = commandInside(pooler, ['pgbouncer', '--version']);
    console.log(execFileSync(program, words, { encoding: 'utf8' }).split('\n')[0]);
    console.log('Every step was run, and the market that came of them starts.');
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Runs all steps of a Dockerfile; returns its last stage. */
function replay(file: string, folder: string): Stage {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const step of parseDockerfile(readFileSync(join(projectRoot, file), 'utf8'))) {
    if (step.kind === 'from') {
      const root = join(folder, `${file.replaceAll('/', '-')}-${stages.size}`);
      const base = stages.get(step.image);
      console.log(`\nFROM ${step.image}${step.name ? ` AS ${step.name}` : ''}`);
      if (base) execFileSync('cp', ['-a', base.root, root]);
      else createRoot(step.image, CACHE, root);
      forbidServices(root);
      stage = base ? { ...base, root } : { root, workdir: '/', user: 'root', environment: {}, command: [] };
      stages.set(step.name ?? 'last', stage);
    } else if (stage) apply(step, stage, stages);
  }
  if (!stage) throw new Error(`${file} has no FROM`);
  return stage;
}

function apply(step: Instruction, stage: Stage, stages: ReadonlyMap<string, Stage>): void {
  const began = performance.now();
  if (step.kind === 'workdir') {
    stage.workdir = step.path;
    mkdirSync(join(stage.root, step.path), { recursive: true });
  } else if (step.kind === 'env') Object.assign(stage.environment, step.variables);
  else if (step.kind === 'user') stage.user = step.name;
  else if (step.kind === 'cmd') stage.command = step.words;
  else if (step.kind === 'copy') copy(step, stage, stages);
  else if (step.kind === 'run') runInside(stage, step.command);
  const seconds = Math.round((performance.now() - began) / 1000);
  const { kind, ...rest } = step;
  const words = Object.values(rest).flatMap((one) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.entries(one).map((pair) => pair.join('='))
      : (one ?? []),
  );
  console.log(`${kind.toUpperCase()} ${words.join(' ')} (${seconds} s)`);
}

/** Copies as Docker does: of a folder what is in it, into a folder that is made where it is missing. */
function copy(
  { from, sources, target }: Extract<Instruction, { kind: 'copy' }>,
  stage: Stage,
  stages: ReadonlyMap<string, Stage>,
): void {
  const source = from === null ? projectRoot : stages.get(from)?.root;
  if (!source) throw new Error(`COPY --from=${from}: there is no such stage`);
  const place = join(stage.root, isAbsolute(target) ? '' : stage.workdir, target);
  const paths = sources.flatMap((path) => (from === null && path === '.' ? included() : [path]));
  for (const path of paths) {
    const full = join(source, path);
    const isContents = from !== null || !sources.includes('.');
    if (isContents && existsSync(full) && readdirOrNull(full) !== null) {
      mkdirSync(place, { recursive: true });
      execFileSync('cp', ['-a', '--no-preserve=ownership', '-T', full, place]);
    } else {
      const intoFolder = target.endsWith('/') || paths.length > 1;
      mkdirSync(intoFolder ? place : join(place, '..'), { recursive: true });
      execFileSync('cp', ['-a', '--no-preserve=ownership', full, place]);
    }
  }
}

function readdirOrNull(path: string): string[] | null {
  try {
    return readdirSync(path);
  } catch {
    return null;
  }
}

/** What lies in the project's folder and is not named by .dockerignore, which has plain names alone. */
function included(): string[] {
  const ignored = new Set(readFileSync(join(projectRoot, '.dockerignore'), 'utf8').split('\n'));
  return readdirSync(projectRoot).filter((name) => !ignored.has(name));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts the market of the image on its embedded database, as its own user, and asks it for a page and its script. */
async function startMarket(stage: Stage): Promise<void> {
  const port = await freePort();
  const environment = { ...stage.environment, PORT: String(port), HOST: '127.0.0.1', DRAIN_SECONDS: '0' };
  const [program, words] = commandInside({ ...stage, environment }, stage.command);
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
  const ended = once(child, 'exit');
  try {
    const origin = `http://127.0.0.1:${port}`;
    for (const deadline = Date.now() + 120_000; ; await wait(100)) {
      const ready = await fetch(`${origin}/readyz`).catch(() => null);
      if (ready?.ok) break;
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`It does not start:\n${output}`);
    }
    const page = await (await fetch(`${origin}/properties`)).text();
    const script = /\/assets\/entry\.client-[\w-]+\.js/.exec(page)?.[0] ?? '/assets/none';
    const { status } = await fetch(`${origin}${script}`);
    if (status !== 200) throw new Error(`${script} was answered with ${status}`);
    console.log(
      `CMD ${stage.command.join(' ')}: ready, as the user ${stage.user}; /properties and its script are served`,
    );
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
