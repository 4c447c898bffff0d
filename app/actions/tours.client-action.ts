import { preserveInput, textFields } from './preserve-input.ts';

/** The client action of the tours of both sides: what was written about a tour stays when it cannot be sent. */
export const sendTourForm = <T>(args: { request: Request; serverAction: () => Promise<T> }) =>
  preserveInput(args, {
    inputOf: textFields('day', 'minutes', 'reason', 'id'),
    toast: { title: 'This tour was not changed', text: 'This could not be sent. Please try again.' },
    refusalsLeave: true,
  });
