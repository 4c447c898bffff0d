import { Ajv, type ErrorObject } from 'ajv';
import qs from 'qs';
import { StripeRefusal } from './stripe-refusal.ts';
import { type ParameterName, stripeSchema } from './stripe-schema.ts';

/** Numbers that Stripe takes only whole; the types say no more than `number`. */
const WHOLE = /^(?:amount|unit_amount|quantity|expires_at|limit)$/;

let ajv: Ajv | null = null;

/** Makes or loads the schemas: seconds the first time, and so not to be left to the first request. */
export function loadStripeParameters(): Ajv {
  ajv ??= new Ajv({ strict: false, coerceTypes: true, allErrors: true }).addSchema(stripeSchema(), 'stripe');
  return ajv;
}

/**
 * A form body or a query as Stripe reads it.
 * @throws StripeRefusal naming the parameter that is unknown, missing or of the wrong kind
 */
export function stripeParameters<T>(name: ParameterName, text: string): T {
  const parameters: unknown = qs.parse(text, { depth: 20, arrayLimit: 1_000 });
  const validate = loadStripeParameters().getSchema<T>(`stripe#/definitions/${name}`);
  if (!validate) throw new Error(`No schema for ${name}`);
  if (!validate(parameters)) throw refusalOf(validate.errors ?? []);
  requireWhole(parameters, []);
  return parameters as T;
}

/** The deepest fault counts: those around it say only that none of several forms fits. */
function refusalOf(errors: ErrorObject[]): StripeRefusal {
  const found = (keyword: string) => errors.find((error) => error.keyword === keyword);
  const unknown = found('additionalProperties');
  if (unknown) {
    const param = nameOf([...stepsOf(unknown), String(unknown.params.additionalProperty)]);
    return new StripeRefusal(400, {
      type: 'invalid_request_error',
      code: 'parameter_unknown',
      param,
      message: `Received unknown parameter: ${param}`,
    });
  }
  const missing = found('required');
  if (missing) {
    const param = nameOf([...stepsOf(missing), String(missing.params.missingProperty)]);
    return new StripeRefusal(400, {
      type: 'invalid_request_error',
      code: 'parameter_missing',
      param,
      message: `Missing required param: ${param}.`,
    });
  }
  const first = errors.at(0);
  const param = nameOf(first ? stepsOf(first) : []);
  return StripeRefusal.ofParameter(param, `Invalid ${param}: ${first?.message}`);
}

function requireWhole(value: unknown, steps: string[]): void {
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) requireWhole(inner, [...steps, name]);
  else if (WHOLE.test(steps.at(-1) ?? '') && !Number.isSafeInteger(value)) {
    const param = nameOf(steps);
    throw StripeRefusal.ofParameter(param, `Invalid integer: ${value}`, 'parameter_invalid_integer');
  }
}

const stepsOf = (error: ErrorObject) => error.instancePath.split('/').filter(Boolean);
const nameOf = (steps: string[]) => steps.map((step, at) => (at === 0 ? step : `[${step}]`)).join('');
