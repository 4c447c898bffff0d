import { newAddress } from './newcomer.ts';
import { startProcess } from './process.ts';

/** Makes an administrator beside the running server as `npm run admin:create` does; answers with the one-time password. */
export async function createAdmin(dataDir: string): Promise<{ email: string; password: string }> {
  const email = newAddress();
  const { E2E_DATABASE_URL } = process.env;
  const child = startProcess(
    'scripts/admin-create.ts',
    { DATA_DIR: dataDir, ...(E2E_DATABASE_URL && { DATABASE_URL: E2E_DATABASE_URL }) },
    [email],
  );
  const [, password = ''] = await child.printed(/One-time password: (\S+)/);
  await child.end();
  return { email, password };
}
