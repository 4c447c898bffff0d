import type { Ctx } from '#platform/context.ts';
import type { HttpEnv, HttpVariables } from '#platform/http/environment.ts';
import type { Services } from './services.ts';

/** What a handler of ours finds on every request: who asks, and what the process has open. */
export interface WebEnv extends HttpEnv {
  Variables: HttpVariables & {
    services: Services;
    ctx: Ctx;
    sessionId: string | null;
  };
}
