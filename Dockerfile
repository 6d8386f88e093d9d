#   docker build -t email-analytics .
#
# Built with Buildah, never with Docker. `npm run verify -- container` runs these instructions in a folder, and the result
# isolated.

FROM node:24-slim AS package
WORKDIR /source
COPY package.json package-lock.json ./
# Of the development dependencies, only esbuild is needed: skip install scripts, which download a browser and a database.
RUN npm ci --ignore-scripts
COPY tsconfig.json LICENSE README.md CHANGELOG.md ./
COPY bin bin
COPY connectors connectors
COPY docs docs
COPY deploy deploy
COPY scripts scripts
COPY src src
# npm pack runs the script prepack, which bundles src/.
RUN npm pack --pack-destination /tmp \
    && mkdir /app \
    && tar -xzf /tmp/email-analytics-*.tgz -C /app --strip-components=1 \
    && cp package-lock.json /app/
WORKDIR /app
# better-sqlite3 includes its binary, so nothing is compiled.
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-slim
# By default the data is in one file in /data. With one arena a thread, or a threshold that rises, glibc keeps more memory than
# is used.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 HOST=0.0.0.0 PORT=8080 DATABASE_URL=sqlite:/data/email-analytics.db
COPY --from=package /app /app
RUN ln -s /app/bin/email-analytics.js /usr/local/bin/email-analytics \
    && mkdir -m 700 /data \
    && chown node:node /data
VOLUME /data
WORKDIR /app
# The user node, as a number: Kubernetes does not accept a name for runAsNonRoot.
USER 1000
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
    CMD ["node", "bin/health.js"]
# The signal goes to Node directly. Graceful shutdown takes up to 30 seconds.
STOPSIGNAL SIGTERM
# The young generation of the first thread may take 12 MB and not 48.
ENTRYPOINT ["node", "--max-semi-space-size=4", "bin/email-analytics.js"]
CMD ["serve"]
