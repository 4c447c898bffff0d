import { useEffect, useRef } from 'react';
import { useFetcher } from 'react-router';
import { adminPaths } from '#routing/admin-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { IntentField } from '#ui/intent-field.tsx';
import { SwitchButton } from '#ui/switch.tsx';
import { toast } from '#ui/toast.ts';
import type { AnyListing } from '../all-listings.ts';
import { canBeFeatured } from '../rules.ts';

/** The intent of the form, which the page of all properties handles wherever the switch is. */
export const SET_FEATURED = 'set-featured';

/** Features a listing on the home page, or no longer; what became of it is said in a toast. */
export function FeaturedToggle({
  listing: { id, address, status, sellerSuspended, featured },
}: {
  listing: Pick<AnyListing, 'id' | 'address' | 'status' | 'sellerSuspended' | 'featured'>;
}) {
  const fetcher = useFetcher<ActionData>();
  const shown = useRef<ActionData | undefined>(undefined);
  useEffect(() => {
    const answer = fetcher.data;
    if (!answer || shown.current === answer) return;
    shown.current = answer;
    if (answer.toast) toast(answer.toast);
  });
  const wanted = fetcher.formData?.get('featured');
  const on = wanted ? wanted === 'yes' : featured;
  return (
    <fetcher.Form method="post" action={adminPaths.properties()}>
      <IntentField is={SET_FEATURED} />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="featured" value={featured ? 'no' : 'yes'} />
      <SwitchButton
        label={`Featured: ${address}`}
        on={on}
        disabled={!featured && !canBeFeatured({ status, sellerSuspended })}
        aria-busy={wanted ? true : undefined}
        onClick={(event) => wanted && event.preventDefault()}
      />
    </fetcher.Form>
  );
}
