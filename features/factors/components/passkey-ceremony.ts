import type { PasskeyRequest } from '../model.ts';

/** Whether this browser can use passkeys in the way that is needed here. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function';

/** Has the user answer with a passkey. @returns its answer as JSON; null when the user gave up or has none */
export const answerWithPasskey = (request: PasskeyRequest): Promise<string | null> =>
  answered(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        request as unknown as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );

/** Has the user make a passkey. @returns it as JSON; null when the user gave up or has one on that device */
export const makePasskey = (request: PasskeyRequest): Promise<string | null> =>
  answered(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        request as unknown as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );

async function answered(ask: () => Promise<Credential | null>): Promise<string | null> {
  try {
    const credential = await ask();
    return credential instanceof PublicKeyCredential ? JSON.stringify(credential.toJSON()) : null;
  } catch (error) {
    // The browser has told its user; these mean that nothing was chosen, or that the device has a passkey already.
    if (
      error instanceof DOMException &&
      ['NotAllowedError', 'InvalidStateError', 'AbortError'].includes(error.name)
    )
      return null;
    throw error;
  }
}
