import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { paths } from '#app/paths.ts';
import { useSite } from '#app/site.ts';
import type { ListingFormAnswer } from '#features/listings/components/form-answer.ts';
import { ListingFormView } from '#features/listings/components/listing-form.tsx';
import type { EditedListing, FormChoices, StoredDraft } from '#features/listings/form/stored.ts';
import type { ListingForm } from '#features/listings/listing-form.ts';
import { PhotoManager } from '#features/photos/components/photo-manager.tsx';
import type { Photo } from '#features/photos/model.ts';
import { discardDraft } from './discard.ts';

interface Props {
  page: string;
  loaded: {
    listing: EditedListing | null;
    base: ListingForm;
    draft: StoredDraft | null;
    draftId: string;
    photos: Photo[];
    choices: FormChoices;
    year: number;
    tilesUrl: string | null;
    readOnly: boolean;
  };
  answer: ListingFormAnswer | undefined;
}

/** The property form in its page. A discarded draft shows the form anew. */
export function ListingFormRoute({ page, loaded: { photos, ...loaded }, answer }: Props) {
  const { revalidate } = useRevalidator();
  const viewer = useSite()?.viewer;
  const [discarded, setDiscarded] = useState(0);
  return (
    <ListingFormView
      key={`${loaded.listing?.id} ${discarded}`}
      {...loaded}
      userId={viewer?.id ?? ''}
      answer={answer}
      photos={(draftId, onBusy, locked) => (
        <PhotoManager
          owner={loaded.listing ? { propertyId: loaded.listing.id } : { draftId }}
          photos={photos}
          onBusyChange={onBusy}
          locked={locked}
        />
      )}
      signInHref={paths.agentLogin({ next: page })}
      listingHref={paths.agentEditProperty}
      onDiscard={async (draftId) => {
        const gone = await discardDraft(draftId);
        if (gone) void revalidate().then(() => setDiscarded((times) => times + 1));
        return gone;
      }}
    />
  );
}
