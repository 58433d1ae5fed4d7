# One image for every process: the command says which one it is. Nothing is compiled: Node runs the TypeScript as it is.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY prisma/schema prisma/schema
COPY prisma/generate.ts prisma/
RUN npm ci --ignore-scripts --no-audit --no-fund && node prisma/generate.ts
# Vite reads tsconfig.json for the console, and the package of the command line has the licence.
COPY tsconfig.json LICENSE ./
COPY contract contract
COPY clients clients
COPY cli cli
COPY console console
COPY runtime runtime
COPY docs/openapi.ts docs/
COPY dev/unread-files.ts dev/
# The database client, the API's descriptions, the command line's package and the console are made with the development
# dependencies, which are then dropped. So are optional ones: the image brings its own Node.
RUN node docs/openapi.ts \
  && node cli/pack.ts \
  && node console/build/main.ts \
  && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && node dev/unread-files.ts

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0
COPY . .
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/prisma/generated prisma/generated
COPY --from=packages /app/docs docs
COPY --from=packages /app/console/dist console/dist
# For a volume of uploaded files, which takes its permissions from here: whichever user the container runs as can write.
RUN mkdir -m 1777 files
USER node
CMD ["node", "gateway/main.ts"]
