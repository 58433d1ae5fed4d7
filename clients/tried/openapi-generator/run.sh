# The package of npm downloads a program of Java from Maven Central.
export PATH="$PWD/node_modules/.bin:$PATH"
openapi-generator-cli version > log 2>&1 || { echo 'Maven Central is not reachable'; exit 77; }
set -eu
openapi-generator-cli generate -g typescript-fetch -i "$BASE_URL/api/v1/openapi.json" -o generated
tsc -p .
