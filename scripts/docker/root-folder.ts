import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { InvalidEnvironment } from '#platform/invalid-environment.ts';
import { projectRoot } from '#platform/project-root.ts';

const MIRROR = process.env.DEBIAN_MIRROR ?? 'http://deb.debian.org/debian';
const OWN_CERTIFICATES = process.env.NODE_EXTRA_CA_CERTS;
const CERTIFICATES = '/usr/local/share/certificates.pem';
const NPM = '/usr/local/lib/node_modules/npm';

/**
 * What stands in for the official images: a root of the same Debian by debootstrap, for Node's with the project's Node, this machine's
 * npm and the user `node`. The Debian is kept in `folder`, as it takes minutes.
 * @throws InvalidEnvironment for another image, or where the machine lacks what it takes
 */
export function createRoot(image: string, folder: string, target: string): void {
  const node = image === 'node:24-bookworm-slim';
  if (!node && image !== 'debian:bookworm-slim')
    throw new InvalidEnvironment(`${image} has nothing to stand in for it.`);
  const debian = join(folder, 'debian-bookworm');
  if (!existsSync(debian)) bootstrapDebian(debian);
  execFileSync('cp', ['-a', debian, target]);
  copyFileSync('/etc/resolv.conf', join(target, 'etc/resolv.conf'));
  // Where this machine reaches the network through certificates of its own, so must what runs in the root.
  if (OWN_CERTIFICATES) copyFileSync(OWN_CERTIFICATES, join(target, CERTIFICATES));
  if (!node) return;
  copyFileSync(join(projectRoot, 'node_modules/node/bin/node'), join(target, 'usr/local/bin/node'));
  cpSync(ownNpm(), join(target, NPM), { recursive: true });
  symlinkSync(`${NPM}/bin/npm-cli.js`, join(target, 'usr/local/bin/npm'));
  execFileSync('chroot', [target, 'useradd', '--uid', '1000', '--create-home', 'node']);
}

function bootstrapDebian(debian: string): void {
  if (process.getuid?.() !== 0 || spawnSync('debootstrap', ['--version']).error)
    throw new InvalidEnvironment('The replay needs root and debootstrap (apt-get install debootstrap).');
  mkdirSync(dirname(debian), { recursive: true });
  const unfinished = `${debian}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  // In a mount namespace of its own, so that what debootstrap mounts is gone with it.
  const command = ['--mount', '--fork', 'debootstrap', '--variant=minbase', 'bookworm', unfinished, MIRROR];
  execFileSync('unshare', command, { stdio: ['ignore', 'ignore', 'inherit'] });
  renameSync(unfinished, debian);
}

/** The folder of this machine's npm, which has no packages outside of itself. */
function ownNpm(): string {
  const script = execFileSync('sh', ['-c', 'readlink -f "$(PATH=/usr/local/bin:/usr/bin command -v npm)"'], {
    encoding: 'utf8',
  }).trim();
  return dirname(dirname(script));
}

interface Inside {
  root: string;
  workdir: string;
  user: string;
  environment: Record<string, string>;
}

/**
 * The command that runs words in a root, with /proc and /dev mounted for as long as it runs, and npm's cache of this machine, so that
 * packages are fetched once.
 */
export function commandInside(
  { root, workdir, user, environment }: Inside,
  words: readonly string[],
): [string, string[]] {
  const cache = join(root, 'var/cache/npm');
  mkdirSync(cache, { recursive: true });
  mkdirSync('/var/tmp/acre-replay/npm', { recursive: true });
  const script = `mount --rbind /proc "$1/proc" && mount --rbind /dev "$1/dev" && mount --bind /var/tmp/acre-replay/npm "$1/var/cache/npm" &&
    root=$1 user=$2 folder=$3 && shift 3 && exec chroot --userspec="$user" "$root" env -C "$folder" "$@"`;
  const variables = Object.entries({
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: user === 'root' ? '/root' : '/home/node',
    npm_config_cache: '/var/cache/npm',
    ...(OWN_CERTIFICATES && { NODE_EXTRA_CA_CERTS: CERTIFICATES }),
    ...environment,
  }).map(([name, value]) => `${name}=${value}`);
  const inner = ['sh', '-c', script, 'sh', root, user, workdir, '-i', ...variables, ...words];
  return ['unshare', ['--mount', ...inner]];
}

/** Runs a command of the shell in a root. @throws Error when it fails */
export function runInside(inside: Inside, command: string): void {
  const [program, words] = commandInside(inside, ['sh', '-c', command]);
  const { status } = spawnSync(program, words, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`RUN failed with ${status}: ${command}`);
}

/** Keeps packages from starting services, as an image's base does. */
export const forbidServices = (root: string): void =>
  writeFileSync(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
