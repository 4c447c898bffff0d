/** What Coinbase answers instead of the thing that was asked for. */
export class CoinbaseRefusal extends Error {
  readonly status: number;
  readonly errorType: string;

  constructor(status: number, errorType: string, message: string) {
    super(message);
    this.status = status;
    this.errorType = errorType;
  }

  static invalid(message: string): CoinbaseRefusal {
    return new CoinbaseRefusal(400, 'invalid_request', message);
  }

  get body(): object {
    return { errorType: this.errorType, errorMessage: this.message, correlationId: '41deb8d59a9dc9a7-IAD' };
  }
}
