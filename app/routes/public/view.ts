import { getCtx } from '#app/request.ts';
import { recordView } from '#features/views/commands/record-view.ts';
import type { Route } from './+types/view';

/** Called by the property page once it is open; failures stay invisible to the viewer. */
export async function action({ request, params, context }: Route.ActionArgs) {
  await recordView(getCtx(context), { propertyId: params.id, userAgent: request.headers.get('user-agent') });
  return new Response(null, { status: 204 });
}
