#include "platform_thread.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct work {
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct work work = *(struct work *)argument;
    free(argument);
    work.body(work.context);
    return NULL;
}

int platform_start_thread(void (*body)(void *context), void *context) {
    struct work *work = malloc(sizeof *work);
    if (!work) return ENOMEM;
    *work = (struct work){body, context};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int code = pthread_create(&thread, &attributes, run, work);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (code) free(work);
    return code;
}
