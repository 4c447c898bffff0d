import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { chunkGroups } from './scripts/chunks.ts';
import { leaveOut } from './scripts/left-out.ts';

export default defineConfig({
  plugins: [leaveOut(), tailwindcss(), reactRouter()],
  // Lists of what each later chunk needs weigh more on every page (R11) than they save where one is used.
  build: { assetsInlineLimit: 0, modulePreload: false },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } } } },
    // The server's main module is the bundle's entry, so that modules with state exist once per process.
    ssr: { build: { rolldownOptions: { input: './app/server/main.ts' } } },
  },
});
