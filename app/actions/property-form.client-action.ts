import type { PropertyActionData } from '#features/listing-form/components/property-action-data.ts';
import { paths } from '#routing/paths.ts';
import { preserveInput } from './preserve-input.ts';
import { typedProperty } from './typed-property.ts';

interface Args<T> {
  request: Request;
  serverAction: () => Promise<T>;
}

/** The client action of the administrators' form: an expired session or a lost connection keeps the page and its input. */
export const keepPropertyInput = <T>(args: Args<T>, failed: string) =>
  preserveInput(args, {
    inputOf: typedProperty,
    toast: { title: 'Error', text: failed },
    refusalsLeave: true,
    onRedirect(to) {
      const [path] = (to.headers.get('location') ?? '').split('?');
      if (path !== paths.adminLogin()) return null;
      return {
        status: 401,
        answer: {
          signedOut: true,
          toast: { title: 'You are signed out', tone: 'bad' },
        } satisfies Partial<PropertyActionData>,
      };
    },
  });
