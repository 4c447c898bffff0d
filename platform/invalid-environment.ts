/** An environment variable is missing or malformed; the message names it and says what is expected. */
export class InvalidEnvironment extends Error {
  override name = 'InvalidEnvironment';
}
