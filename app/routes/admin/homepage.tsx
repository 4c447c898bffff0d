import { data } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import {
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Stay,
  type Submission,
} from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { dropHeroImage } from '#features/homepage/commands/drop-hero-image.ts';
import { saveHomepage } from '#features/homepage/commands/save-homepage.ts';
import { HomepageEditor } from '#features/homepage/components/homepage-editor.tsx';
import type { SavedHomepage } from '#features/homepage/model.ts';
import { savedHomepage } from '#features/homepage/reads.ts';
import { homepageMessages } from '#features/homepage/rules.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/homepage';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const saved = await readOrNull(ctx, () => savedHomepage(ctx));
  return data({ saved, editing: url.searchParams.get('edit') === '1' }, saved ? undefined : { status: 503 });
}

export const action = (args: Route.ActionArgs) =>
  runAction<{ newer?: SavedHomepage }>(args, {
    intents: { save, drop },
    fallback: 'save',
    preserve: ['title', 'subtitle'],
    messages: { failed: homepageMessages.failed },
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('title', 'subtitle'),
    toast: { title: 'Error', text: homepageMessages.failed },
  });

async function save({ ctx, text }: Submission): Promise<Response | Refusal<{ newer?: SavedHomepage }>> {
  const result = await saveHomepage(ctx, {
    title: text('title'),
    subtitle: text('subtitle'),
    imageId: text('image') || null,
    version: text('version') || null,
  });
  if (result.ok) return redirectWithToast(adminPaths.homepage(), { title: homepageMessages.saved });
  return result.reason === 'newer'
    ? { ok: false, status: 409, extra: { newer: result.current } }
    : invalid(result.errors);
}

async function drop({ ctx, text }: Submission): Promise<Stay> {
  await dropHeroImage(ctx, { imageId: text('image') });
  return { ok: true };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Homepage Editor', hidden: true });

/** Edits the hero of the home page. */
export default function HomepageEditorPage({ loaderData, actionData }: Route.ComponentProps) {
  const { saved, editing } = loaderData;
  useFocusInvalid(actionData?.errors);
  return (
    <>
      <AreaHead title="Homepage Editor" />
      <p className="area-lead">Customize the content of your homepage</p>
      {saved ? (
        <HomepageEditor saved={saved} editing={editing} answer={actionData} />
      ) : (
        <FailedPanel title="The homepage content could not be loaded." />
      )}
      <FlashToast toast={actionData?.toast} />
    </>
  );
}
