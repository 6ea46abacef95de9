#pragma once

#include <postgresql/libpq-fe.h>

/// The names of the functions of libpq that this package calls.
#define LIBPQ_FUNCTIONS(FUNCTION) \
    FUNCTION(PQcancel) \
    FUNCTION(PQclear) \
    FUNCTION(PQcmdTuples) \
    FUNCTION(PQconnectPoll) \
    FUNCTION(PQconnectStartParams) \
    FUNCTION(PQconninfo) \
    FUNCTION(PQconninfoFree) \
    FUNCTION(PQconninfoParse) \
    FUNCTION(PQconsumeInput) \
    FUNCTION(PQenterPipelineMode) \
    FUNCTION(PQerrorMessage) \
    FUNCTION(PQexitPipelineMode) \
    FUNCTION(PQfinish) \
    FUNCTION(PQflush) \
    FUNCTION(PQfreeCancel) \
    FUNCTION(PQfreemem) \
    FUNCTION(PQftype) \
    FUNCTION(PQgetCancel) \
    FUNCTION(PQgetResult) \
    FUNCTION(PQgetisnull) \
    FUNCTION(PQgetlength) \
    FUNCTION(PQgetvalue) \
    FUNCTION(PQisBusy) \
    FUNCTION(PQnfields) \
    FUNCTION(PQntuples) \
    FUNCTION(PQpipelineSync) \
    FUNCTION(PQputCopyData) \
    FUNCTION(PQputCopyEnd) \
    FUNCTION(PQresultErrorField) \
    FUNCTION(PQresultErrorMessage) \
    FUNCTION(PQresultStatus) \
    FUNCTION(PQsendPrepare) \
    FUNCTION(PQsendQuery) \
    FUNCTION(PQsendQueryParams) \
    FUNCTION(PQsendQueryPrepared) \
    FUNCTION(PQserverVersion) \
    FUNCTION(PQsetNoticeReceiver) \
    FUNCTION(PQsetnonblocking) \
    FUNCTION(PQsocket) \
    FUNCTION(PQstatus) \
    FUNCTION(PQtransactionStatus)

/// The functions. The members have the names and the types of the functions.
struct libpq {
#define LIBPQ_MEMBER(name) __typeof__(name) *name;
    LIBPQ_FUNCTIONS(LIBPQ_MEMBER)
#undef LIBPQ_MEMBER
};

/// Returns the functions of libpq, or NULL if the library cannot be loaded. The first call loads it: a program that
/// never calls this function neither needs the library nor waits for it.
const struct libpq *libpq_load(void);

/// The reason why the library cannot be loaded, or NULL. Call it after `libpq_load`.
const char *libpq_load_error(void);

/// Makes a connection discard the server's notices, which libpq would print to standard error.
void libpq_discard_notices(const struct libpq *libpq, PGconn *connection);
