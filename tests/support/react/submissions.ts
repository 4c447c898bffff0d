import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';

interface Sent {
  fields: Readonly<Record<string, string>>;
  /** what the page's action answers */
  answer: () => unknown;
  /** another page is opened while this one is read again */
  leaves?: boolean;
}

/**
 * Sends forms to a page, one after another, by the router itself and without a browser.
 * @returns for each form, what the page shows at every state of the router until it has been read again: the state, and the page as HTML
 */
export async function looksOfSubmissions(page: ReactElement, forms: readonly Sent[]) {
  const waiting = forms.map(({ answer }) => answer);
  const route = {
    id: 'page',
    path: '/',
    element: page,
    loader: () => null,
    action: () => waiting.shift()?.(),
  };
  const router = createMemoryRouter([route], { hydrationData: { loaderData: { page: null } } });
  const looks: { state: string; html: string }[][] = [];
  for (const { fields, leaves } of forms) {
    const looksOfForm: { state: string; html: string }[] = [];
    looks.push(looksOfForm);
    let leavesNow = leaves ?? false;
    let opened: Promise<void> | undefined;
    const stop = router.subscribe(({ navigation }) => {
      const html = renderToStaticMarkup(createElement(RouterProvider, { router }));
      looksOfForm.push({ state: navigation.state, html });
      if (!leavesNow || navigation.state !== 'loading') return;
      leavesNow = false;
      opened = router.navigate('/?page=2');
    });
    const formData = new FormData();
    for (const [name, value] of Object.entries(fields)) formData.set(name, value);
    await router.navigate('/', { formMethod: 'post', formData });
    await opened;
    stop();
  }
  router.dispose();
  return looks;
}
