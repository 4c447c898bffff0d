import type { Fault } from './provider-server.ts';

/** What a provider may do instead of answering, in words that follow 'a provider that'. */
export const providerFaults: readonly (readonly [name: string, fault: Fault])[] = [
  ['drops the connection', 'reset'],
  ['drops the connection after it has carried out the request', 'lost'],
  ['sends half an answer', 'half'],
  ['sends something else', 'garbage'],
  ['fails', 500],
  ['is busy', 429],
  // Last, because a server that has just started is slow by itself.
  ['does not answer for half a minute', 'silence'],
];
