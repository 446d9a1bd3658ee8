# docker build -f scripts/docker/Dockerfile -t gtp_engine . && docker build -f scripts/docker/cluster.Dockerfile -t gtp_engine_cluster .
# A node of a Ray cluster. Every node and the driver's machine need the same image: docs/cluster.md.
FROM gtp_engine
RUN python -m pip install --no-cache-dir "ray[default]>=2.59"
ENV RAY_USAGE_STATS_ENABLED=0
ENTRYPOINT []
