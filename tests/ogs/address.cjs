// Loaded before gtp2ogs: it asks for a host whose name holds the port, which its real server has not.
const http = require("node:http");
const { request } = http;
http.request = (options, ...rest) => request({ ...options, host: options.host.replace(/:\d+$/, "") }, ...rest);
