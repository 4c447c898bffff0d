import { Ajv, type ErrorObject } from 'ajv';
import qs from 'qs';
import type Stripe from 'stripe';
import { StripeApiError } from './api-error.ts';
import { PARAMETERS, type ParameterName, stripeSchema } from './schema.ts';

/** Parameters that must be integers; the types only say `number`. */
const INTEGER_PARAMETERS = /^(?:amount|unit_amount|quantity|expires_at|limit)$/;

let ajv: Ajv | null = null;

/** Generates or loads the schemas and compiles them. Takes seconds the first time, so call it before the first request. */
export function loadParameterSchemas(): Ajv {
  if (ajv) return ajv;
  ajv = new Ajv({ strict: false, coerceTypes: true, allErrors: true }).addSchema(stripeSchema(), 'stripe');
  for (const name of Object.keys(PARAMETERS)) ajv.getSchema(`stripe#/definitions/${name}`);
  return ajv;
}

/**
 * Parses a form body or a query as Stripe does.
 * @throws StripeRefusal naming the parameter that is unknown, missing or of the wrong type
 */
export function parseStripeParameters<T>(name: ParameterName, text: string): T {
  return validParameters(name, qs.parse(text, { depth: 20, arrayLimit: 1_000 }));
}

/**
 * Parses a JSON body as version 2 of Stripe's API does.
 * @throws StripeRefusal as `parseStripeParameters`
 */
export const parseStripeJson = <T>(name: ParameterName, text: string): T =>
  validParameters(name, JSON.parse(text));

function validParameters<T>(name: ParameterName, parameters: unknown): T {
  const validate = loadParameterSchemas().getSchema<T>(`stripe#/definitions/${name}`);
  if (!validate) throw new Error(`No schema for ${name}`);
  if (!validate(parameters)) throw validationError(validate.errors ?? []);
  requireIntegers(parameters, []);
  return parameters as T;
}

/** Reports the innermost error: those around it only say that no variant of a union matches. */
function validationError(errors: ErrorObject[]): StripeApiError {
  const found = (keyword: string) => errors.find((error) => error.keyword === keyword);
  const unknown = found('additionalProperties');
  if (unknown) {
    const param = parameterName([...pathSegments(unknown), String(unknown.params.additionalProperty)]);
    return new StripeApiError(400, {
      type: 'invalid_request_error',
      code: 'parameter_unknown',
      param,
      message: `Received unknown parameter: ${param}`,
    });
  }
  const missing = found('required');
  if (missing) {
    const param = parameterName([...pathSegments(missing), String(missing.params.missingProperty)]);
    return new StripeApiError(400, {
      type: 'invalid_request_error',
      code: 'parameter_missing',
      param,
      message: `Missing required param: ${param}.`,
    });
  }
  const first = errors.at(0);
  const param = parameterName(first ? pathSegments(first) : []);
  return StripeApiError.invalidParameter(param, `Invalid ${param}: ${first?.message}`);
}

function requireIntegers(value: unknown, segments: string[]): void {
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) requireIntegers(inner, [...segments, name]);
  else if (INTEGER_PARAMETERS.test(segments.at(-1) ?? '') && !Number.isSafeInteger(value)) {
    const param = parameterName(segments);
    throw StripeApiError.invalidParameter(param, `Invalid integer: ${value}`, 'parameter_invalid_integer');
  }
}

const pathSegments = (error: ErrorObject) => error.instancePath.split('/').filter(Boolean);
const parameterName = (segments: string[]) =>
  segments.map((segment, at) => (at === 0 ? segment : `[${segment}]`)).join('');

/** @throws StripeRefusal beyond 50 names, 40 characters of a name, 500 of a value */
export function metadataOf(params: Stripe.Emptyable<Stripe.MetadataParam> | undefined): Stripe.Metadata {
  const pairs = Object.entries(params || {}).map(([name, value]) => [name, String(value ?? '')] as const);
  if (pairs.length > 50) throw StripeApiError.invalidParameter('metadata', 'At most 50 keys');
  for (const [name, value] of pairs)
    if (name.length > 40 || value.length > 500)
      throw StripeApiError.invalidParameter(`metadata[${name}]`, 'Metadata is too long');
  return Object.fromEntries(pairs);
}
