import type { Ctx } from '#platform/context.ts';
import type { Services } from './services.ts';

/** The context of work outside of a request: jobs, scripts, the start of the process. */
export function systemContext(
  { db, config, log }: Pick<Services, 'db' | 'config' | 'log'>,
  name: string,
  requestId: string = name,
): Ctx {
  return { db, config, log, actor: { kind: 'system', name }, requestId, ip: null, now: () => new Date() };
}
