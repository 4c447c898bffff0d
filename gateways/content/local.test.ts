import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cidProfiles } from './cid.ts';
import { contentStoreContract } from './contract.ts';
import { createLocalStore } from './local.ts';

for (const profile of cidProfiles)
  contentStoreContract('local', profile, async () => {
    const root = await mkdtemp(join(tmpdir(), 'acre-content-'));
    const folder = join(root, 'content');
    return {
      store: createLocalStore({ folder, profile }),
      async sabotage() {
        await rm(folder, { recursive: true, force: true });
        await writeFile(folder, 'a file where the folder should be');
      },
      stop: () => rm(root, { recursive: true, force: true }),
    };
  });
