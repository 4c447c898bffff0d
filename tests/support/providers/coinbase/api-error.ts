/** An error response of the Coinbase API. */
export class CoinbaseApiError extends Error {
  readonly status: number;
  readonly errorType: string;

  constructor(status: number, errorType: string, message: string) {
    super(message);
    this.status = status;
    this.errorType = errorType;
  }

  static invalid(message: string): CoinbaseApiError {
    return new CoinbaseApiError(400, 'invalid_request', message);
  }

  get body(): object {
    return { errorType: this.errorType, errorMessage: this.message, correlationId: '41deb8d59a9dc9a7-IAD' };
  }
}
