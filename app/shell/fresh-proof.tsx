import { useMatches, unstable_useRoute as useRoute } from 'react-router';
import { ProofDialog } from '#features/factors/components/proof-dialog.tsx';

/**
 * In a layout, once: where the action of one of its pages was refused for want of a fresh proof, asks for it and repeats the form.
 * A page that writes by a fetcher shows `ProofDialog` itself, with the fetcher's data and form.
 */
export function FreshProof() {
  const page = useMatches().at(-1)?.id;
  // The ids of routes are known as types, but not which of them is shown.
  const route = useRoute(...([page] as unknown as Parameters<typeof useRoute>));
  return <ProofDialog answer={route?.actionData} />;
}
