# An image with the executable and nothing else: no shell, no package manager, no root.
#   docker build --tag secsctl .
FROM node:24-bookworm AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund \
  && npm run build --silent \
  && node scripts/package.mjs --executable /packages \
  && mv /packages/secsctl-*-linux-x64 /packages/secsctl \
  && mkdir -m 0700 /data

# glibc, libstdc++ and certificates of Debian 12. The user is 65532.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /packages/secsctl /usr/bin/secsctl
COPY --from=build --chown=65532:65532 /data /var/lib/secsctl
ENV SECSCTL_HOME=/var/lib/secsctl
# So that glibc gives the memory of long messages back; see DAEMON_VARIABLES of src/cli/installation.ts.
ENV MALLOC_MMAP_THRESHOLD_=1048576
USER 65532:65532
VOLUME /var/lib/secsctl
EXPOSE 7327
# Asks /readyz of the daemon in this container.
HEALTHCHECK --interval=30s --timeout=8s --start-period=60s CMD ["/usr/bin/secsctl", "daemon", "status"]
ENTRYPOINT ["/usr/bin/secsctl"]
# Without a certificate it ends, and says what is missing: compose.yaml gives one.
CMD ["daemon", "run", "--host", "0.0.0.0"]
