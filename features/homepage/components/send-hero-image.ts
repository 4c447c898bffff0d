import { adminPaths } from '#routing/admin-paths.ts';
import { INTENT } from '#ui/action-data.ts';
import { post } from '#ui/post.ts';
import { postAndRead } from '#ui/post-and-read.ts';
import type { HeroImageResponse } from '../model.ts';
import { HERO_IMAGE, homepageMessages } from '../rules.ts';

/** Uploads a picture for the hero. Too large a file is refused before it is sent. */
export async function sendHeroImage(file: File): Promise<HeroImageResponse> {
  if (file.size > HERO_IMAGE.maxBytes) return { error: homepageMessages.tooLarge };
  const answer = await postAndRead<HeroImageResponse>(adminPaths.homepageImage(), file, {
    headers: { accept: 'application/json', 'content-type': 'application/octet-stream' },
  });
  if (answer?.body && ('image' in answer.body || answer.status === 422)) return answer.body;
  return { error: homepageMessages.uploadFailed };
}

/** Deletes an uploaded picture that is not saved; one that this does not reach is swept after a day. */
export async function dropUploadedImage(imageId: string): Promise<void> {
  await post(adminPaths.homepage(), new URLSearchParams({ [INTENT]: 'drop', image: imageId }), {
    keepalive: true,
  });
}
