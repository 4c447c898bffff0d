import { createContext, type RouterContextProvider } from 'react-router';
import type { Services } from '#app/server/services.ts';
import type { ServerCtx } from '#gateways/ports.ts';

/** An error as the error page shows it. */
export interface Fault {
  status: number;
  statusText: string;
  /** null when nothing may be shown of it */
  message: string | null;
  /** by which its user can report it */
  reference: string;
}

/** What the server knows about one request, created once before any route runs. */
export interface RequestScope {
  ctx: ServerCtx;
  services: Services;
  sessionId: string | null;
  /** it could not be read who is signed in; the visitor's view is shown with a notice */
  sessionUnknown: boolean;
  nonce: string;
  /** the path of the matched route with names for its parameters; set by the router */
  pattern?: string;
  /** the error page is rendered, for this */
  fault?: Fault;
  /** the complete page when it is sent in one piece; the response passed through the router then has no body */
  page?: Buffer<ArrayBuffer>;
}

export const requestScope = createContext<RequestScope>();

type Scoped = Readonly<RouterContextProvider>;

export const getScope = (context: Scoped): RequestScope => context.get(requestScope);
/** The context that is the first argument of every read and command. */
export const getCtx = (context: Scoped): ServerCtx => context.get(requestScope).ctx;
