/** The body of a Stripe error. */
type StripeErrorBody = {
  type: 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'card_error';
  message: string;
  code?: string;
  param?: string;
};

/** An error response of the Stripe API. */
export class StripeApiError extends Error {
  readonly status: number;
  readonly body: StripeErrorBody;
  /** false for requests rejected before execution: their responses are not stored for the idempotency key */
  readonly executed: boolean;

  constructor(status: number, body: StripeErrorBody, executed = false) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.executed = executed;
  }

  static invalidParameter(param: string, message: string, code?: string): StripeApiError {
    return new StripeApiError(400, {
      type: 'invalid_request_error',
      message,
      param,
      ...(code ? { code } : {}),
    });
  }

  static missing(object: string, id: string): StripeApiError {
    const message = `No such ${object}: '${id}'`;
    return new StripeApiError(
      404,
      { type: 'invalid_request_error', code: 'resource_missing', param: object, message },
      true,
    );
  }

  /** The current state of the object does not allow the request. */
  static invalidState(message: string, code?: string): StripeApiError {
    return new StripeApiError(
      400,
      { type: 'invalid_request_error', message, ...(code ? { code } : {}) },
      true,
    );
  }
}
