import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { leanClient } from './vite/lean-client.ts';

// Few chunks compress better than many (R11), and an update of the product leaves the framework's in people's caches.
const chunks = [
  {
    name: 'framework',
    priority: 3,
    test: /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/,
  },
  { name: 'frame', priority: 2, test: /[\\/]app[\\/](root|routes[\\/]public[\\/]shell)\.tsx$/ },
  { name: 'listings', priority: 1, test: /[\\/]app[\\/]routes[\\/]public[\\/]properties\.tsx$/ },
];

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), leanClient()],
  build: { assetsInlineLimit: 0 },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } },
    // The server's own entry is the bundle's, so that modules with state exist once in the process.
    ssr: { build: { rolldownOptions: { input: './app/server/main.ts' } } },
  },
});
