import { vi } from 'vitest';
import { describeCells } from './support/matrix.ts';

vi.mock('better-auth/crypto', () => import('#tests/support/fixtures/quick-passwords.ts'));

await describeCells('sales');
