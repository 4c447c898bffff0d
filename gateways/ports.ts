import type { Ctx } from '#platform/context.ts';
import type { Chain } from './chain/port.ts';
import type { ContentStore } from './content/port.ts';
import type { FileStore } from './files/port.ts';
import type { Geocoder } from './geocoder/port.ts';
import type { Mailer } from './mail/port.ts';
import type { MalwareScanner } from './malware/port.ts';
import type { NameService } from './names/port.ts';
import type { Payments } from './payments/port.ts';
import type { StripeSetup } from './payments/stripe/setup-port.ts';
import type { Payouts } from './payouts/port.ts';

/** The outside world, as operations reach it. */
export interface Ports {
  chain: Chain;
  /** null: none is configured, and nothing is published */
  content: ContentStore | null;
  files: FileStore;
  geocoder: Geocoder;
  mailer: Mailer;
  malware: MalwareScanner;
  names: NameService;
  payments: Payments;
  payouts: Payouts;
  stripeSetup: StripeSetup;
}

/** The context of an operation that reaches the outside world through the named ports. */
export type CtxWith<Port extends keyof Ports> = Ctx & Pick<Ports, Port>;

/** The context of every request and job of a running process. */
export type ServerCtx = Ctx & Ports;
