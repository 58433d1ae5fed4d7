# For generators: downloads the description (openapi.json, or the name that is given second), generates with the command
# that is given first, checks the types of what came out together with the story, and tells the story with it.
set -eu
export PATH="$PWD/node_modules/.bin:$PATH"
node -e "fetch(process.env.BASE_URL + '/api/v1/${2:-openapi.json}').then((it) => it.text()).then((it) => fs.writeFileSync('openapi.json', it))"
sh -c "$1"
echo 'done: generate'
tsc
echo 'done: check the types'
esbuild story.ts --bundle --platform=node --format=esm --log-level=warning --outfile=story.mjs \
  --banner:js="import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"
node story.mjs
