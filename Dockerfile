# Not tried: there was no Docker engine. Its commands were run by hand, in the same order.
#
#   docker build -t email-analytics .

FROM node:24-slim AS package
WORKDIR /source
COPY package.json package-lock.json ./
# The compiler is all that is needed of what is for developing: no scripts, no browser, no database.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.package.json LICENSE README.md CHANGELOG.md ./
COPY bin bin
COPY docs docs
COPY src src
# The package holds JavaScript, which the script prepack makes of src/.
RUN npm pack --pack-destination /tmp \
    && mkdir /app \
    && tar -xzf /tmp/email-analytics-*.tgz -C /app --strip-components=1 \
    && cp package-lock.json /app/
WORKDIR /app
# better-sqlite3 brings its binary along, so that nothing is compiled.
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-slim
# Where DATABASE_URL is not given, the data lies in one file in /data: mount a volume there.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATABASE_URL=sqlite:/data/email-analytics.db
RUN mkdir -m 700 /data && chown node:node /data
COPY --from=package /app /app
WORKDIR /app
USER node
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is told to stop, and takes up to 30 seconds for it.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "bin/email-analytics.js"]
CMD ["serve"]
