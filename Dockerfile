# syntax=docker/dockerfile:1
#
#   docker build -t email-analytics .
#
# `npm run verify -- container` runs these instructions in a folder, and the result isolated, on stand-ins for the base
# images. With SOURCE_DATE_EPOCH, two builds of one commit have the same digest.

FROM node:24-slim AS package
WORKDIR /source
COPY package.json package-lock.json ./
# Of the development dependencies, only esbuild is needed: skip install scripts, which download a browser and a database.
RUN npm ci --ignore-scripts
COPY tsconfig.json LICENSE README.md CHANGELOG.md ./
COPY bin bin
COPY connectors connectors
COPY deploy deploy
COPY docs docs
COPY scripts scripts
COPY src src
ARG COMMIT=
# npm pack runs the script prepack, which bundles src/.
RUN npm pack --pack-destination /tmp \
    && mkdir /app \
    && tar -xzf /tmp/email-analytics-*.tgz -C /app --strip-components=1 \
    && cp package-lock.json /app/
WORKDIR /app
# better-sqlite3 includes its binary, so nothing is compiled. The volume starts with the mode and owner of its folder.
RUN npm ci --omit=dev --ignore-scripts \
    && mkdir -p /image/commands /image/volumes \
    && printf '#!/nodejs/bin/node\nimport("/app/bin/email-analytics.js");\n' > /image/commands/email-analytics \
    && chmod 755 /image/commands/email-analytics \
    && mkdir -m 700 /image/volumes/data

# Node and its libraries: no shell, no package manager.
FROM gcr.io/distroless/nodejs24-debian12
ARG COMMIT=
LABEL org.opencontainers.image.title="email-analytics" \
    org.opencontainers.image.description="Exact numbers of your email campaigns" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.revision="${COMMIT}"
# By default the data is in one file in /data. With one arena a thread, or a threshold that rises, glibc keeps more memory than
# is used.
ENV PATH=/nodejs/bin NODE_ENV=production MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 HOST=0.0.0.0 PORT=8080 DATABASE_URL=sqlite:/data/email-analytics.db
COPY --from=package /app /app
COPY --from=package /image/commands /nodejs/bin
COPY --from=package --chown=1000:1000 /image/volumes /
VOLUME /data
WORKDIR /app
# As a number: Kubernetes does not accept a name for runAsNonRoot.
USER 1000
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
    CMD ["node", "bin/health.js"]
# The signal goes to Node directly. Graceful shutdown takes up to 30 seconds.
STOPSIGNAL SIGTERM
# The options are nodeOptions in scripts/deploy/service.ts.
ENTRYPOINT ["node", "--max-semi-space-size=4", \
    "--permission", "--allow-fs-read=*", "--allow-fs-write=*", "--allow-worker", "--allow-addons", \
    "--disable-warning=PERM0001", "--disable-warning=PERM0006", "bin/email-analytics.js"]
CMD ["serve"]
