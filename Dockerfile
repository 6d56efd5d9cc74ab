# docker build -t problex . ; docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/data" problex classify reviews.csv --lexicon ... -o labelled.xlsx
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN pip install --no-cache-dir build && python -m build --wheel --outdir /wheels

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[report,tables]" && rm -r /wheels && useradd --create-home analyst
USER analyst
WORKDIR /data
ENTRYPOINT ["problex"]
CMD ["--help"]
