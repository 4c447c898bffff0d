import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: { assetsInlineLimit: 0 },
  environments: {
    // The server's own entry is the bundle's, so that modules with state exist once in the process.
    ssr: { build: { rolldownOptions: { input: './app/server/main.ts' } } },
  },
});
