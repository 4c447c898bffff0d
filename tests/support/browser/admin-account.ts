import { startProcess } from '../server/process.ts';
import { uniqueEmail } from './accounts.ts';

/** Creates an administrator while the server runs, as `npm run admin:create` does; returns the one-time password. */
export async function createAdmin(dataDir: string): Promise<{ email: string; password: string }> {
  const email = uniqueEmail();
  const { E2E_DATABASE_URL } = process.env;
  const child = startProcess(
    'scripts/admin-create.ts',
    { DATA_DIR: dataDir, ...(E2E_DATABASE_URL && { DATABASE_URL: E2E_DATABASE_URL }) },
    [email],
  );
  const [, password = ''] = await child.waitForOutput(/One-time password: (\S+)/);
  await child.end();
  return { email, password };
}
