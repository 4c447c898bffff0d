/** An error as Stripe words it. */
export type StripeErrorBody = {
  type: 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'card_error';
  message: string;
  code?: string;
  param?: string;
};

/** What Stripe answers instead of the thing that was asked for. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: StripeErrorBody;
  /** false for what is refused before anything is begun: no answer is kept under the key then */
  readonly begun: boolean;

  constructor(status: number, body: StripeErrorBody, begun = false) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.begun = begun;
  }

  static ofParameter(param: string, message: string, code?: string): StripeRefusal {
    return new StripeRefusal(400, {
      type: 'invalid_request_error',
      message,
      param,
      ...(code ? { code } : {}),
    });
  }

  static missing(object: string, id: string): StripeRefusal {
    const message = `No such ${object}: '${id}'`;
    return new StripeRefusal(
      404,
      { type: 'invalid_request_error', code: 'resource_missing', param: object, message },
      true,
    );
  }

  /** Refused for what has happened before. */
  static ofState(message: string, code?: string): StripeRefusal {
    return new StripeRefusal(
      400,
      { type: 'invalid_request_error', message, ...(code ? { code } : {}) },
      true,
    );
  }
}
