import { useState } from 'react';
import { paths } from '#routing/paths.ts';
import { useSetWatched } from './use-set-watched.ts';

interface Props {
  propertyId: string;
  address: string;
  watched: boolean;
  signedIn: boolean;
}

/** The watch toggle on a property's page: optimistic, reverted on failure. */
export function WatchButton({ propertyId, address, watched, signedIn }: Props) {
  const setWatched = useSetWatched(signedIn);
  const [pressed, setPressed] = useState(watched);
  return (
    <form
      method="post"
      action={paths.watch(propertyId)}
      onSubmit={(event) => {
        event.preventDefault();
        setPressed(!pressed);
        void setWatched(propertyId, !pressed).then((done) => done || setPressed(pressed));
      }}
    >
      <button
        type="submit"
        className="watch watch-lg"
        name="watched"
        value={pressed ? '0' : '1'}
        aria-pressed={pressed}
        aria-label={`Watch ${address}`}
      />
    </form>
  );
}
