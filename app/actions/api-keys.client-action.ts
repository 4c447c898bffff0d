import { apiKeyMessages, typedKey } from '#features/api-keys/model.ts';
import { preserveInput } from './preserve-input.ts';

interface Args<T> {
  request: Request;
  serverAction: () => Promise<T>;
}

/** The client action of a page of API keys: what was typed for a new one stays when it cannot be sent. */
export const keepApiKeyInput = <T>(args: Args<T>) =>
  preserveInput(args, {
    inputOf: typedKey,
    toast: { title: 'Error', text: apiKeyMessages.failed },
    refusalsLeave: true,
  });
