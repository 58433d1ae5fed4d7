set -eu
export PATH="$PWD/node_modules/.bin:$PATH"
echo 'extends: ["spectral:oas"]' > .spectral.yaml
node -e "fetch(process.env.BASE_URL + '/api/v1/openapi.json').then((it) => it.text()).then((it) => fs.writeFileSync('openapi.json', it))"
spectral lint openapi.json --fail-severity error
