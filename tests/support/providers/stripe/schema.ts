import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createGenerator } from 'ts-json-schema-generator';

/** The SDK types of the parameters that are validated. */
export const PARAMETERS = {
  CheckoutSessionCreate: 'Checkout.SessionCreateParams',
  CheckoutSessionRetrieve: 'Checkout.SessionRetrieveParams',
  CheckoutSessionUpdate: 'Checkout.SessionUpdateParams',
  CheckoutSessionExpire: 'Checkout.SessionExpireParams',
  CustomerCreate: 'CustomerCreateParams',
  CustomerRetrieve: 'CustomerRetrieveParams',
  PaymentIntentCreate: 'PaymentIntentCreateParams',
  PaymentIntentCancel: 'PaymentIntentCancelParams',
  PaymentIntentList: 'PaymentIntentListParams',
  RefundCreate: 'RefundCreateParams',
  RefundList: 'RefundListParams',
  DisputeList: 'DisputeListParams',
  DisputeUpdate: 'DisputeUpdateParams',
  BalanceTransactionList: 'BalanceTransactionListParams',
  WebhookEndpointCreate: 'WebhookEndpointCreateParams',
  WebhookEndpointUpdate: 'WebhookEndpointUpdateParams',
  WebhookEndpointList: 'WebhookEndpointListParams',
} as const;
export type ParameterName = keyof typeof PARAMETERS;

/** The SDK uses this type to keep string enums open; removing it makes unknown values invalid. */
const OPEN_ENUM = 'export type OtherString = string & Record<never, never>';

/**
 * JSON schemas of Stripe's parameters, generated from the types of the installed SDK. This takes seconds, so they are
 * cached below node_modules for each SDK version.
 */
export function stripeSchema(): Record<string, unknown> {
  const sdk = dirname(dirname(createRequire(import.meta.url).resolve('stripe')));
  const { version } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'));
  const cache = join(dirname(sdk), '.cache', 'stripe-schema');
  const content = createHash('sha256').update(JSON.stringify(PARAMETERS)).digest('hex').slice(0, 8);
  const cached = join(cache, `${version}-${content}.json`);
  if (!existsSync(cached)) {
    mkdirSync(cache, { recursive: true });
    const work = mkdtempSync(join(cache, 'making-'));
    try {
      writeFileSync(join(work, 'schema.json'), JSON.stringify(generate(sdk, work)));
      renameSync(join(work, 'schema.json'), cached);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return JSON.parse(readFileSync(cached, 'utf8'));
}

/** Works on a copy of the SDK's types, so that the installed ones are not changed. */
function generate(sdk: string, work: string): object {
  const copy = join(work, 'node_modules', 'stripe');
  const isTypes = (path: string) => statSync(path).isDirectory() || path.endsWith('.d.ts');
  cpSync(join(sdk, 'esm'), join(copy, 'esm'), { recursive: true, filter: isTypes });
  cpSync(join(sdk, 'package.json'), join(copy, 'package.json'));
  const shared = join(copy, 'esm', 'shared.d.ts');
  const text = readFileSync(shared, 'utf8');
  if (!text.includes(OPEN_ENUM))
    throw new Error("The SDK's types have changed: nothing keeps its lists closed");
  writeFileSync(shared, text.replace(OPEN_ENUM, 'export type OtherString = never'));

  const path = join(work, 'parameters.ts');
  const lines = Object.entries(PARAMETERS).map(([name, type]) => `export type ${name} = Stripe.${type};`);
  writeFileSync(path, ["import type Stripe from 'stripe';", ...lines].join('\n'));
  const tsconfig = join(work, 'tsconfig.json');
  const compilerOptions = {
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    strict: true,
    types: [],
  };
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: ['parameters.ts'] }));
  return createGenerator({ path, tsconfig, type: '*', skipTypeCheck: true }).createSchema('*');
}
