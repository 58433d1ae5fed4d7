set -eu
export PATH="$PWD/node_modules/.bin:$PATH" REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
node -e "fetch(process.env.BASE_URL + '/api/v1/openapi.json').then((it) => it.text()).then((it) => fs.writeFileSync('openapi.json', it))"
redocly lint openapi.json --extends recommended
redocly bundle openapi.json --output bundled.yaml
