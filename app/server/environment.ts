import type { ServerCtx } from '#gateways/ports.ts';
import type { HttpEnv, HttpVariables } from '#platform/http/environment.ts';
import type { Services } from './services.ts';

/** The Hono variables of every request: who is asking, and the services of the process. */
export interface WebEnv extends HttpEnv {
  Variables: HttpVariables & {
    services: Services;
    ctx: ServerCtx;
    sessionId: string | null;
    /** it could not be read who is signed in */
    sessionUnknown: boolean;
  };
}
